import { describe, expect, it } from 'vitest'
import { createLogs } from '../../../../../logs/logs.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { createLogBook } from '../../../../../testing/log-book.ts'
import { pollOptions } from '../../../../../testing/until.ts'
import { canRunPhp, startPhpWorld } from './php-world.fixture.ts'

const canRun = await canRunPhp()

describe.skipIf(!canRun)('an email of a PHP site', () => {
  it('is passed to the service with the site that sent it', async () => {
    const sent: [string, string][] = []
    const { deploy, bodyOf } = await startPhpWorld({
      sendEmail: async (key, email) => {
        sent.push([key, email.toString()])
        return null
      },
    })
    await deploy('blog', {
      'index.php': `<?php var_dump(mail('ada@example.com', 'Grüße', "Line one\\nLine two", 'Reply-To: me@example.com', '-fme@example.com'));`,
    })
    // The first request is the health check, which runs the page too.
    sent.length = 0
    expect((await bodyOf('blog')).trim()).toBe('bool(true)')
    const [[key, email] = []] = sent
    expect(sent).toHaveLength(1)
    expect(key).toBe('blog')
    expect(email).toMatch(/^To: ada@example\.com\r?\nSubject: Grüße\r?\nReply-To: me@example\.com/)
    expect(email).toMatch(/\r?\n\r?\nLine one\nLine two/)
  })

  it('an email that is rejected, too large or fails is not sent, and the log says why', async () => {
    const dataDir = await createDataFolder()
    const logs = createLogs(dataDir, createLogBook().log)
    const { deploy, bodyOf } = await startPhpWorld({
      dataDir,
      output: logs,
      logCheckMs: 20,
      sendEmail: async (_key, email) => {
        if (email.includes('Subject: fails')) throw new Error('no database')
        return 'it has no recipient'
      },
    })
    await deploy('blog', {
      'index.php': '<?php echo "up";',
      'small.php': `<?php var_dump(mail('ada@example.com', 'x', 'y'));`,
      'fails.php': `<?php var_dump(mail('ada@example.com', 'fails', 'y'));`,
      'large.php': `<?php var_dump(mail('ada@example.com', 'x', str_repeat("text\\n", 500000)));`,
    })
    for (const path of ['/small.php', '/large.php', '/fails.php'])
      expect((await bodyOf('blog', path)).trim()).toBe('bool(false)')
    const printed = async () =>
      (await logs.page('blog', 'site', { limit: 20 })).map(({ text }) => text).join('\n')
    for (const reason of [
      'it has no recipient',
      'it is larger than 2 MB',
      'the service did not respond',
    ])
      await expect.poll(printed, pollOptions).toContain(`An email was not sent: ${reason}`)
  })
})
