import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ArchiveFiles } from '../../../../../testing/archives.ts'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { until } from '../../../../../testing/until.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import type { OutputLog } from '../../process/site-output.ts'
import { canRunPhp, startPhpWorld } from './php-world.fixture.ts'

const canRun = await canRunPhp()

describe.skipIf(!canRun)('a PHP site', () => {
  it('is deployed, changed and rolled back, and keeps what it wrote', async () => {
    const { deploy, bodyOf } = await startPhpWorld()
    const page = (version: string) => ({
      'index.php': `<?php $file = getenv('DATA_DIR') . '/visits'; file_put_contents($file, 'x', FILE_APPEND);
        require 'version.php'; echo VERSION, ' ', strlen(file_get_contents($file)) > 0 ? 'kept' : 'lost';`,
      'version.php': `<?php const VERSION = '${version}';`,
    })
    expect(await deploy('blog', page('one'))).toBeNull()
    expect(await bodyOf('blog')).toBe('one kept')
    await deploy('blog', page('two'))
    await expect.poll(() => bodyOf('blog')).toBe('two kept')
    await deploy('blog', page('one'))
    await expect.poll(() => bodyOf('blog')).toBe('one kept')
  })

  it('gets its variables, and new values with the next release', async () => {
    const { deploy, bodyOf } = await startPhpWorld()
    const page = { 'index.php': "<?php echo getenv('GREETING'), ' ', $_SERVER['GREETING'];" }
    await deploy('blog', page, { GREETING: 'Hello' })
    expect(await bodyOf('blog')).toBe('Hello Hello')
    await deploy('blog', page, { GREETING: 'Merhaba' })
    await expect.poll(() => bodyOf('blog')).toBe('Merhaba Merhaba')
  })

  it('is stopped during a request, and logs no warning', async () => {
    const printed: string[] = []
    const output: OutputLog = {
      add: (_key, _source, { text }) => printed.push(text),
      flush: async () => undefined,
    }
    const { deploy, visit, engine } = await startPhpWorld({ output, logCheckMs: 20 })
    await deploy('blog', {
      'index.php': `<?php
        if ($_SERVER['REQUEST_URI'] === '/slow') { error_log('began'); sleep(1); error_log('ended'); }
        echo 'up';`,
    })
    const response = visit('blog', '/slow').catch(() => null)
    await until(() => printed.join().includes('began'))
    await engine.close({ stopSites: true })
    await response
    expect(printed.join('\n')).not.toContain('WARNING')
  })

  it('a release that responds with errors leaves the previous one serving, and says why', async () => {
    // If steady errors did not end the wait, the deployment would take longer than a test may.
    const times = { healthMs: 600_000, steadyErrorMs: 200 }
    const { deploy, bodyOf } = await startPhpWorld({ times })
    await deploy('blog', { 'index.php': '<?php echo "fine";' })
    const problem = await deploy('blog', { 'index.php': '<?php missing_function();' })
    expect(problem).toMatchObject({ failure: 'unhealthy', detail: '500' })
    expect(problem?.output).toContain('undefined function missing_function()')
    expect(await bodyOf('blog')).toBe('fine')
  })

  it('a release whose first page takes too long says so, and names no port', async () => {
    const { deploy, bodyOf } = await startPhpWorld({ times: { healthMs: 4_000 } })
    await deploy('blog', { 'index.php': '<?php echo "fine";' })
    const problem = await deploy('blog', { 'index.php': '<?php sleep(60);' })
    expect(problem).toMatchObject({ failure: 'not_responding' })
    expect(await bodyOf('blog')).toBe('fine')
  })

  it('a release whose first page needs too much memory says so', async () => {
    const times = { healthMs: 600_000, steadyErrorMs: 200 }
    const { deploy, bodyOf } = await startPhpWorld({ times })
    await deploy('blog', { 'index.php': '<?php echo "fine";' })
    const problem = await deploy('blog', {
      'index.php': '<?php for ($all = [];;) $all[] = str_repeat("x", 1e6);',
    })
    expect(problem).toMatchObject({
      failure: 'out_of_memory',
      output: expect.stringContaining('Allowed memory size'),
    })
    expect(await bodyOf('blog')).toBe('fine')
  })

  it('may respond that it is not ready yet', async () => {
    const { deploy, bodyOf } = await startPhpWorld({ times: { steadyErrorMs: 1 } })
    const page = `<?php file_put_contents('/data/tries', 'x', FILE_APPEND);
      if (filesize('/data/tries') < 5) http_response_code(503); echo 'ready';`
    expect(await deploy('blog', { 'index.php': page })).toBeNull()
    expect(await bodyOf('blog')).toBe('ready')
  })

  it('keeps its workers between requests', async () => {
    const { deploy, bodyOf } = await startPhpWorld()
    await deploy('blog', { 'index.php': '<?php echo getmypid();' })
    const workers = new Set<string>()
    for (let request = 0; request < 30; request++) workers.add(await bodyOf('blog'))
    // At most 8 run at once: a worker that is still finishing lets php-fpm start another.
    expect(workers.size).toBeLessThanOrEqual(8)
  })

  it('needs an index.php', async () => {
    const { engine, unpack } = await startPhpWorld()
    const check = async (files: ArchiveFiles) => {
      const { digest, manifest } = await unpack(files)
      return engine.checkRelease('php', digest, manifest as never)
    }
    expect(await check({ 'page.php': '<?php' })).toEqual({ failure: 'php_index_missing' })
    expect(await check({ 'public/index.php': '<?php' })).toBeNull()
  })

  it('is listed with its version, and shows it', async () => {
    const { engine, deploy } = await startPhpWorld()
    const capabilities = await engine.capabilities()
    const php = capabilities.find(({ id }) => id === 'php')
    expect(php).toEqual({
      id: 'php',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      reason: null,
    })
    await deploy('blog', { 'index.php': '<?php' })
    expect(await engine.metadata(instance('blog', { runtime: 'php' }))).toEqual([
      { key: 'runtime_version', value: `PHP ${php?.version}` },
    ])
  })

  it('serves its uploads, and runs none of them', async () => {
    const { deploy, visit } = await startPhpWorld()
    await deploy('blog', {
      'index.php': `<?php $folder = getenv('UPLOADS_DIR'); @mkdir($folder);
        file_put_contents("$folder/note.txt", 'a note');
        file_put_contents("$folder/shell.php", '<?php echo "run";');`,
    })
    expect((await visit('blog', '/uploads/note.txt')).body).toBe('a note')
    expect((await visit('blog', '/uploads/shell.php')).status).toBe(404)
  })

  it('keeps running when its server ends, and is adopted by the next', async () => {
    const { dataDir, engine, deploy, bodyOf } = await startPhpWorld()
    await deploy('blog', { 'index.php': '<?php echo "here";' })
    await engine.close()
    expect(await bodyOf('blog')).toBe('here')
    const next = await startHostingWorld({ dataDir })
    const [observed] = await next.engine.list(['blog'])
    expect(observed?.running).toBe(true)
    expect(await bodyOf('blog')).toBe('here')
  })

  it('leaves nothing behind when it is removed', async () => {
    const { dataDir, engine, deploy, siteFiles } = await startPhpWorld()
    await deploy('blog', { 'index.php': '<?php' })
    await engine.remove('blog')
    expect(await readdir(join(dataDir, 'sites'))).toEqual([])
    await expect(readdir(siteFiles('blog').socketFolder)).rejects.toThrow('ENOENT')
    const processes = await readFile('/proc/net/unix', 'utf8')
    expect(processes).not.toContain(siteFiles('blog').socketFolder)
  })
})
