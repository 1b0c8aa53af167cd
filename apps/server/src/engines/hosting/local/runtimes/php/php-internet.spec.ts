import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { siteCallAddress } from '../../../../../site-calls.ts'
import { createCertificateAuthority } from '../../../../../testing/certificate-authority.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { httpsGet } from '../../../../../testing/http-get.ts'
import { pollOptions } from '../../../../../testing/until.ts'
import { startInternet } from './internet.fixture.ts'
import { canRunPhp, startPhpWorld } from './php-world.fixture.ts'

const canRun = await canRunPhp()
const hasCurl =
  canRun && (await hasDebianPackage('/etc/php/8.2/mods-available/curl.ini', 'php8.2-curl'))

const insecure = `stream_context_set_default(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);`

describe.skipIf(!canRun)('a PHP site and the internet', () => {
  it('requests pages by http and https with file_get_contents', async () => {
    const { urls, hosts, mayConnect } = await startInternet()
    const { deploy, bodyOf } = await startPhpWorld({ mayConnect })
    await deploy('blog', {
      'index.php': `<?php ${insecure} foreach (json_decode('${JSON.stringify(urls)}') as $url)
        echo file_get_contents($url), "\\n";`,
    })
    expect(await bodyOf('blog')).toBe(hosts.map((host) => `GET /a?b=c ${host}\n`).join(''))
  })

  it.skipIf(!hasCurl)('requests pages by http and https with curl', async () => {
    const { urls, hosts, mayConnect } = await startInternet()
    const { deploy, bodyOf } = await startPhpWorld({ mayConnect })
    await deploy('blog', {
      'index.php': `<?php foreach (json_decode('${JSON.stringify(urls)}') as $url) {
        $curl = curl_init($url);
        curl_setopt_array($curl, [CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0, CURLOPT_RETURNTRANSFER => true]);
        echo curl_exec($curl), curl_error($curl), "\\n";
      }`,
    })
    expect(await bodyOf('blog')).toBe(hosts.map((host) => `GET /a?b=c ${host}\n`).join(''))
  })

  it('reaches the internet and its own pages after another server has adopted it', async () => {
    const { urls, hosts, mayConnect } = await startInternet()
    const { dataDir, engine, deploy, bodyOf, routes } = await startPhpWorld({ mayConnect })
    await deploy('blog', {
      'index.php': `<?php foreach (['${urls[0]}', 'http://blog.localhost/own.php'] as $url)
        echo @file_get_contents($url), "\\n";`,
      'own.php': '<?php echo "own page";',
    })
    await engine.close()
    const next = await startHostingWorld({ dataDir, mayConnect })
    for (const [host, route] of routes) next.routes.set(host, route)
    await expect.poll(() => bodyOf('blog'), pollOptions).toBe(`GET /a?b=c ${hosts[0]}\nown page\n`)
  })

  it.each([
    ['through the proxy as a tunnel', (to: string) => `CONNECT ${to} HTTP/1.1\r\n\r\n`],
    ['by an absolute URL', (to: string) => `GET http://${to}/ HTTP/1.1\r\nHost: ${to}\r\n\r\n`],
    ['by a header with the host', (to: string) => `GET / HTTP/1.1\r\nHost: ${to}\r\n\r\n`],
    ['by a path with a host', (to: string) => `GET //${to}/ HTTP/1.1\r\nHost: example.com\r\n\r\n`],
  ])('does not reach this machine or private networks %s', async (_how, request) => {
    const { deploy, bodyOf, port } = await startPhpWorld()
    const hosts = [
      '127.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '[::1]',
      '[fd00::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      'localhost',
    ]
    const requests = hosts.map((host) => request(`${host}:${port}`))
    await deploy('blog', {
      'requests.json': JSON.stringify(requests),
      'index.php': `<?php foreach (json_decode(file_get_contents('/app/requests.json')) as $request) {
        $proxy = fsockopen('127.0.0.1', 3128);
        fwrite($proxy, $request);
        echo substr(fgets($proxy), 9, 3), ' ';
      }`,
    })
    expect((await bodyOf('blog')).trim()).toBe(hosts.map(() => '403').join(' '))
  })

  it('requests its own pages over http and https, and no page of another site', async () => {
    const authority = await createCertificateAuthority()
    const certificate = await authority.issue('blog.localhost')
    const extraCertificates = join(await createDataFolder(), 'authority.pem')
    await writeFile(extraCertificates, authority.pem)
    let isSecure = false
    const {
      deploy,
      bodyOf,
      port,
      tlsPort = 0,
    } = await startPhpWorld({
      nameServers: ['127.0.0.1:9'],
      extraCertificates,
      certificates: { find: () => (isSecure ? certificate : undefined) },
    })
    await deploy('victim', { 'index.php': '<?php echo "secret";' })
    await deploy('blog', {
      'own.php': '<?php echo "own ", $_SERVER["HTTP_HOST"], " ", $_SERVER["REMOTE_ADDR"];',
      'index.php': `<?php
        $urls = ['http://blog.localhost:${port}/own.php', 'http://victim.localhost:${port}/', 'http://victim.localhost/'];
        if (isset($_GET['secure'])) $urls = ['https://blog.localhost/own.php'];
        foreach ($urls as $url) echo @file_get_contents($url) ?: 'none', "\n";
        $forged = "GET / HTTP/1.1\r\nHost: victim.localhost\r\nConnection: close\r\n\r\n";
        foreach (["CONNECT blog.localhost:80 HTTP/1.1\r\n\r\n", ''] as $way) {
          $proxy = fsockopen('127.0.0.1', 3128);
          fwrite($proxy, $way);
          if ($way) while (trim(fgets($proxy)));
          fwrite($proxy, $forged);
          echo substr(fgets($proxy), 9, 3), "\n";
        }`,
    })
    const address = siteCallAddress('blog')
    expect((await bodyOf('blog')).trim().split('\n')).toEqual([
      `own blog.localhost:${port} ${address}`,
      'none',
      'none',
      '421',
      '502',
    ])
    isSecure = true
    expect((await httpsGet(tlsPort, '/?secure', 'blog.localhost')).body).toContain(
      `own blog.localhost ${address}\n`,
    )
  })

  it('calls itself without end and stops no neighbor', async () => {
    const { deploy, visit, bodyOf, port } = await startPhpWorld({ php: { requestSeconds: 1 } })
    await deploy('neighbor', { 'index.php': '<?php echo "neighbor";' })
    await deploy('blog', {
      'index.php': '<?php echo "free";',
      'again.php': `<?php echo @file_get_contents('http://blog.localhost:${port}/again.php');`,
    })
    const endless = visit('blog', '/again.php')
    expect(await bodyOf('neighbor')).toBe('neighbor')
    await endless
    expect(await bodyOf('blog')).toBe('free')
  })

  it('is not led past the proxy by its variables', async () => {
    const { deploy, visit } = await startPhpWorld()
    await deploy('blog', { 'index.php': `<?php echo getenv('HTTP_PROXY'), getenv('https_proxy');` })
    const { body } = await visit('blog', '/', { proxy: 'http://attacker.example' })
    expect(body).toBe('http://127.0.0.1:3128'.repeat(2))
  })
})
