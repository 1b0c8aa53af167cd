import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canRunPhp, startPhpWorld } from './php-world.fixture.ts'

const canRun = await canRunPhp()

/** The length of a response's body, which may be larger than a string. */
async function countBytes(port: number, host: string, path: string) {
  const [response] = await once(request({ port, path, headers: { host } }).end(), 'response')
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) bytes += part.length
  return bytes
}

describe.skipIf(!canRun)('a hostile PHP site', () => {
  /** The output of a program in the site of an attacker, beside the site of a victim. */
  async function attack(code: (paths: { data: string; artifact: string; port: number }) => string) {
    const world = await startPhpWorld()
    await world.deploy('victim', {
      'index.php': `<?php file_put_contents('/data/secret', 'secret'); echo 'ok';`,
    })
    const victim = world.siteFiles('victim')
    const paths = {
      data: victim.data,
      artifact: join(world.dataDir, 'artifacts'),
      port: world.port,
    }
    await world.deploy('attacker', { 'index.php': `<?php error_reporting(0); ${code(paths)}` })
    return { ...world, output: await world.bodyOf('attacker') }
  }

  it('reads and writes its own folder', async () => {
    const { output } = await attack(
      () => `var_dump(file_put_contents('/data/own', 'x') === 1 && scandir('/data') !== false);`,
    )
    expect(output.trim()).toBe('bool(true)')
  })

  it.each([
    ['the files of another site', ({ data }: { data: string }) => `${data}/secret`],
    ['the releases of others', ({ artifact }: { artifact: string }) => artifact],
    ['the users of the machine', () => '/etc/shadow'],
    ["the server's environment", () => `/proc/${process.pid}/environ`],
    ['the database', () => '/var/lib/postgresql'],
  ])('does not read %s', async (_what, path) => {
    const { output } = await attack(
      (paths) =>
        `$path = ${JSON.stringify(path(paths))}; var_dump(file_get_contents($path) !== false || scandir($path) !== false);`,
    )
    expect(output.trim()).toBe('bool(false)')
  })

  it('sees no user of the machine but its own', async () => {
    const { output } = await attack(() => `echo file_get_contents('/etc/passwd');`)
    const names = (await readFile('/etc/passwd', 'utf8'))
      .split('\n')
      .map((line) => line.split(':')[0])
    const visibleUsers = output.split('\n').map((line) => line.split(':')[0])
    expect(
      visibleUsers.filter((name) => name !== '' && name !== 'nobody' && names.includes(name)),
    ).toEqual([])
  })

  it.each([
    ['the loopback address of the machine', (port: number) => `127.0.0.1:${port}`],
    ['a private address', () => '10.0.0.1:80'],
    ['the metadata of a cloud', () => '169.254.169.254:80'],
    ['a public address', () => '1.1.1.1:80'],
  ])('does not connect to %s', async (_what, address) => {
    const { output } = await attack(
      ({ port }) =>
        `var_dump((bool) stream_socket_client('tcp://${address(port)}', $code, $message, 2));`,
    )
    expect(output.trim()).toBe('bool(false)')
  })

  it('does not write its release, nor run as another user', async () => {
    const { output } = await attack(
      () => `echo json_encode([
        file_put_contents('/app/index.php', 'x'), file_put_contents('/slipway/x', 'x'),
        posix_getuid() === 0, posix_setuid(0), shell_exec('cat /etc/shadow'),
      ]);`,
    )
    expect(JSON.parse(output)).toEqual([false, false, false, false, null])
  })

  it('a site that forks or takes memory without end does not stop its neighbor', async () => {
    const { bodyOf, visit } = await attack(
      () => `if (isset($_GET['fork'])) { for ($i = 0; $i < 500; $i++) exec('sleep 60 > /dev/null 2>&1 &'); }
        if (isset($_GET['eat'])) { ini_set('memory_limit', -1); $all = []; while (true) $all[] = str_repeat('x', 1 << 24); }
        echo 'attacker';`,
    )
    await visit('attacker', '/?fork').catch(() => undefined)
    await visit('attacker', '/?eat').catch(() => undefined)
    expect(await bodyOf('victim')).toBe('ok')
  })

  it('a site whose scripts never end gets its workers back', async () => {
    const { deploy, visit, bodyOf } = await startPhpWorld({ php: { requestSeconds: 1 } })
    await deploy('blog', {
      'index.php': '<?php echo "free";',
      'wait.php': '<?php sleep(10000);',
      'spin.php': '<?php set_time_limit(0); while (true);',
    })
    // More than there are workers. Each connection is closed by php-fpm, not by the gateway.
    const paths = ['/wait.php', '/spin.php', '/wait.php', '/spin.php', '/wait.php']
    const all = await Promise.all([...paths, ...paths].map((path) => visit('blog', path)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([502]))
    expect(await bodyOf('blog')).toBe('free')
  })

  it('gets 20 slow requests at once, runs as many as it has workers, and loses none', async () => {
    const { deploy, visit } = await startPhpWorld()
    await deploy('blog', {
      'index.php': `<?php $mine = '/tmp/run-' . getmypid(); touch($mine);
        usleep(100000); echo count(glob('/tmp/run-*')); unlink($mine);`,
    })
    const all = await Promise.all(Array.from({ length: 20 }, () => visit('blog', '/')))
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(Math.max(...all.map(({ body }) => Number(body)))).toBeLessThanOrEqual(8)
  })

  it('sets no header of another response, and no invalid status', async () => {
    const { deploy, visit } = await startPhpWorld()
    await deploy('blog', {
      'index.php': '<?php echo "ok";',
      'split.php': '<?php header("X-A: a\\r\\nSet-Cookie: b=1"); echo "split";',
      'interim.php': '<?php header("Status: 101 Switching Protocols"); echo "x";',
      'huge.php': '<?php header("Status: 999 x"); echo "x";',
      'length.php': '<?php header("Content-Length: 1"); echo str_repeat("x", 100000);',
      'transfer.php': '<?php header("Transfer-Encoding: chunked"); echo "5";',
      'sendfile.php': '<?php header("X-Accel-Redirect: /etc/passwd"); echo "own";',
    })
    const split = await visit('blog', '/split.php')
    expect(split.headers).not.toHaveProperty('set-cookie')
    expect((await visit('blog', '/interim.php')).status).toBe(502)
    expect((await visit('blog', '/huge.php')).status).toBe(502)
    await expect(visit('blog', '/length.php')).rejects.toThrow()
    expect((await visit('blog', '/transfer.php')).body).toBe('5')
    const sent = await visit('blog', '/sendfile.php')
    expect([sent.body, sent.headers['x-accel-redirect']]).toEqual(['own', undefined])
    expect((await visit('blog', '/')).body).toBe('ok')
  })

  it('opens nothing outside of its folder through a link, not even to stat it', async () => {
    const { deploy, visit, siteFiles } = await startPhpWorld()
    await deploy('blog', {
      'index.php': `<?php @mkdir('/data/uploads'); @symlink('/', '/data/uploads/all');
        @symlink('/etc/hostname', '/data/uploads/name.txt'); @symlink('real', '/data/uploads/linked');
        @mkdir('/data/uploads/real'); file_put_contents('/data/uploads/real/note.txt', 'note'); echo 'done';`,
    })
    // Opening a named pipe would wake its writer, so no link is followed to one.
    const secret = join(siteFiles('blog').folder, 'secret.txt')
    await writeFile(secret, 'secret')
    expect((await visit('blog', '/uploads/real/note.txt')).body).toBe('note')
    for (const path of [`all${secret}`, 'all/etc/hostname', 'name.txt', 'linked/note.txt'])
      expect((await visit('blog', `/uploads/${path}`)).body).toBe('done')
  })

  it('applies no settings of uploaded files, and shows no source code', async () => {
    const { deploy, visit } = await startPhpWorld()
    const hidden = ['.user.ini', '.htaccess', '.env', 'lib/db.inc', 'index.php.bak', 'index.php~']
    await deploy('blog', {
      ...Object.fromEntries(hidden.map((path) => [path, 'a password'])),
      'index.php': `<?php @mkdir('/data/uploads'); file_put_contents('/data/uploads/.user.ini', 'auto_append_file=/etc/passwd');
        file_put_contents('/data/uploads/x.php', '<?php echo "run";'); echo ini_get('auto_append_file');`,
    })
    for (const path of hidden) expect((await visit('blog', `/${path}`)).status).toBe(404)
    for (const path of ['/uploads/.user.ini', '/uploads/x.php', '/uploads/x.php/y'])
      expect((await visit('blog', path)).status).toBe(404)
    expect((await visit('blog', '/uploads/%00x.php')).status).toBe(400)
    expect((await visit('blog', '/')).body).toBe('')
  })

  it('a site that prints and logs more than its memory does not stop its neighbor', async () => {
    const { bodyOf, visit, port } = await attack(
      () => `if (isset($_GET['log'])) for ($i = 0; $i < 2000; $i++) error_log(str_repeat('x', 4000));
        if (isset($_GET['print'])) for ($i = 0; $i < 2048; $i++) echo str_repeat('x', 65536);
        echo 'attacker';`,
    )
    const [logged, printed] = await Promise.all([
      visit('attacker', '/?log'),
      countBytes(port, 'attacker.localhost', '/?print'),
    ])
    expect([logged.status, printed]).toEqual([200, 2 ** 27 + 'attacker'.length])
    expect(await bodyOf('victim')).toBe('ok')
  })
})
