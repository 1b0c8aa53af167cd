import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { controlGroups } from '../../../../testing/control-groups.ts'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../testing/debian-package.ts'
import { readCommandLines } from '../../../../testing/processes.ts'
import { findCgroups } from './cgroup.ts'
import { type Sandbox, type SandboxedProgram, setUpSandbox } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'

const isLinux = process.platform === 'linux'
const isInstalled = isLinux && (await hasDebianPackage('bwrap', 'bubblewrap'))
const folder = join('/tmp', `slipway-sandbox-${process.pid}`)
const setUp = await setUpSandbox(await findCgroups(), folder)
afterAll(() => rm(folder, { recursive: true, force: true }))
const reason = typeof setUp === 'string' ? setUp : undefined
const account = { uid: 61_234, gid: 61_234 }
const limits = { memoryBytes: 128 * 2 ** 20, cpus: 1, processes: 32 }

describe.skipIf(reason !== undefined)(`a sandboxed program (${reason ?? 'bubblewrap'})`, () => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = setUp as Sandbox
  })

  /** Runs a script with Node, in a new folder. */
  async function run(script: string, changes: Partial<SandboxedProgram> = {}) {
    const data = await createDataFolder()
    await chmod(data, 0o711)
    const site = join(data, 'site')
    await mkdir(site, { mode: 0o700 })
    await chown(site, account.uid, account.gid)
    const started = await sandbox.start({
      name: `test-${process.hrtime.bigint()}`,
      command: ['/runtime/node', '-e', script],
      env: { HOME: '/site' },
      cwd: '/site',
      readable: { '/runtime/node': process.execPath },
      writable: { '/site': site },
      account,
      limits,
      ...changes,
    })
    const output = started.child.stdout ? text(started.child.stdout) : Promise.resolve('')
    const errors = started.child.stderr ? text(started.child.stderr) : Promise.resolve('')
    const { code, signal } = await started.exited
    const memoryKills = await started.memoryKills()
    await started.cleanUp()
    return { code, signal, output: (await output).trim(), errors: await errors, memoryKills, site }
  }

  /** The error code of an attempt, or `done`. */
  const attempt = async (expression: string, changes: Partial<SandboxedProgram> = {}) => {
    const { output, errors } = await run(
      `const fs = require('fs'), os = require('os'), net = require('net'), cp = require('child_process');
       (async () => { ${expression} })().then(() => console.log('done'), (e) => console.log(e.code ?? e.message))`,
      changes,
    )
    return output || errors
  }

  it('runs as its own user, in its own folder, with its own environment', async () => {
    const { output } = await run(
      "require('fs').writeFileSync('kept', 'x'); console.log(process.getuid(), process.cwd(), Object.keys(process.env).join())",
    )
    expect(output).toBe('1000 /site HOME,PWD')
  })

  it('has its variables on no command line of the machine', async () => {
    const value = `secret-${randomUUID()}`.repeat(500)
    const started = await sandbox.start({
      name: `test-${process.hrtime.bigint()}`,
      command: ['/bin/sh', '-c', 'echo "$SECRET" | wc -c; exec /bin/sleep 1000'],
      env: { SECRET: value },
      cwd: '/',
      readable: {},
      writable: {},
      account,
      limits,
    })
    onTestFinished(async () => {
      await started.kill()
      await started.exited
      await started.cleanUp()
    })
    const [output] = await once(started.child.stdout?.setEncoding('utf8') as Readable, 'data')
    expect(output).toBe(`${value.length + 1}\n`)
    const lines = (await readCommandLines()).map(([, line]) => line)
    expect(lines).toContainEqual(expect.stringContaining('bwrap'))
    expect(lines.filter((line) => line.includes(value))).toEqual([])
    // Nor is it a file.
    expect(await readdir(folder)).toHaveLength(5)
  })

  it('cannot give bubblewrap an option by a variable', async () => {
    const env = { SECRET: 'x\0--bind\0/\0/data' }
    await expect(run('', { env })).rejects.toThrow('a variable contains NUL')
    expect((await controlGroups()).filter((name) => name.startsWith('test-'))).toEqual([])
  })

  it('keeps what it writes to its folder, and nothing else', async () => {
    const { site } = await run("require('fs').writeFileSync('kept', 'x')")
    expect(await readdir(site)).toEqual(['kept'])
    expect(await attempt("fs.writeFileSync('/usr/x', '')")).toBe('EROFS')
    expect(await attempt("fs.writeFileSync('/runtime/node', '')")).toMatch(/EROFS|EACCES|ETXTBSY/)
  })

  it('sees no file of another site, of the server or of the system’s settings', async () => {
    const folder = await createDataFolder()
    await writeFile(join(folder, 'secret'), 'x')
    expect(await attempt(`fs.readFileSync(${JSON.stringify(join(folder, 'secret'))})`)).toBe(
      'ENOENT',
    )
    expect(await attempt("fs.readFileSync('/etc/shadow')")).toBe('ENOENT')
    const { output } = await run("console.log(require('fs').readdirSync('/').join())")
    expect(output.split(',')).not.toEqual(expect.arrayContaining(['root']))
    expect(output).not.toMatch(/home|var|sys|srv/)
  })

  it('sees no process but its own', async () => {
    const { output } = await run(
      "console.log(require('fs').readdirSync('/proc').filter(Number).length)",
    )
    expect(Number(output)).toBeLessThanOrEqual(3)
    expect(await attempt(`process.kill(${process.pid}, 0)`)).toBe('ESRCH')
  })

  it('follows no link out of its folder', async () => {
    const { output } = await run(
      "const fs = require('fs'); fs.symlinkSync('/etc/shadow', 'p'); try { fs.readFileSync('p'); console.log('read') } catch (e) { console.log(e.code) }",
    )
    expect(output).toBe('ENOENT')
  })

  it('reaches no network: not this machine, no private and no metadata address', async () => {
    const server = createServer((socket) => socket.end('secret')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const connect = (host: string, to: number) =>
      attempt(
        `await new Promise((resolve, reject) => net.connect(${to}, '${host}').on('connect', resolve).on('error', reject))`,
      )
    expect(await connect('127.0.0.1', port)).toBe('ECONNREFUSED')
    for (const host of ['10.0.0.1', '169.254.169.254', '192.0.2.1'])
      expect(await connect(host, 80)).toMatch(/ENETUNREACH|EACCES|EPERM/)
  })

  it('opens sockets of no family but those of websites', async () => {
    // AF_VSOCK leads to the hypervisor past the network namespace.
    const families = {
      unix: '1, 1, 0',
      inet: '2, 1, 0',
      inet6: '10, 1, 0',
      route: '16, 3, 0',
      audit: '16, 3, 9',
      packet: '17, 3, 0',
      alg: '38, 5, 0',
      vsock: '40, 1, 0',
      xdp: '44, 3, 0',
    }
    const attempts = Object.entries(families).map(
      ([name, values]) => `print "${name} ", socket(my $s, ${values}) ? "opens" : $! + 0, "\\n";`,
    )
    const { output } = await run('', { command: ['/usr/bin/perl', '-e', attempts.join('')] })
    // 97 is EAFNOSUPPORT.
    expect(output.split('\n')).toEqual([
      'unix opens',
      'inet opens',
      'inet6 opens',
      'route opens',
      'audit 97',
      'packet 97',
      'alg 97',
      'vsock 97',
      'xdp 97',
    ])
  })

  it('reaches no Unix socket that it was not given', async () => {
    const folder = await createDataFolder()
    const path = join(folder, 'database')
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const connect = `await new Promise((resolve, reject) => net.connect(${JSON.stringify(path)}).on('connect', resolve).on('error', reject))`
    expect(await attempt(connect)).toBe('ENOENT')
  })

  it('cannot trace, load BPF, read keys, or make other calls of the kernel for administrators', async () => {
    // None of them fails so without the filter: these arguments are allowed, or invalid.
    const calls: Record<string, [x64: number, arm64: number, ...args: number[]]> = {
      ptrace: [101, 117, 0, 0, 0, 0],
      bpf: [321, 280, 0, 0, 0],
      keyctl: [250, 219, 0, -3, 1],
      add_key: [248, 217, 0, 0, 0, 0, -3],
      request_key: [249, 218, 0, 0, 0, 0],
      userfaultfd: [323, 282, 1],
      perf_event_open: [298, 241, 0, 0, -1, -1, 0],
      process_vm_readv: [310, 270, 0, 0, 0, 0, 0, 0],
      process_vm_writev: [311, 271, 0, 0, 0, 0, 0, 0],
      kcmp: [312, 272, 1, 1, 0, 0, 0],
      mount: [165, 40, 0, 0, 0, 0, 0],
      umount2: [166, 39, 0, 0],
      setns: [308, 268, -1, 0],
      unshare: [272, 97, 0],
    }
    const lines = Object.entries(calls).map(([name, [x64, arm64, ...args]]) => {
      const numbers = [process.arch === 'x64' ? x64 : arm64, ...args]
      return `print '${name} ', syscall(${numbers}) == -1 && $!{EPERM} ? 'EPERM' : "done, or $!", "\\n";`
    })
    const command = ['/usr/bin/perl', '-e', lines.join('\n')]
    const { output, errors } = await run('', { command })
    expect(errors).toBe('')
    expect(output.split('\n')).toEqual(Object.keys(calls).map((name) => `${name} EPERM`))
  })

  it('cannot become another user, mount or make namespaces', async () => {
    // No other user exists in the sandbox.
    expect(await attempt('process.setuid(0)')).toMatch(/EINVAL|EPERM/)
    const shell = async (command: string) => {
      const { output } = await run(
        `console.log(require('child_process').spawnSync('sh', ['-c', ${JSON.stringify(command)}]).status)`,
      )
      return Number(output)
    }
    expect(await shell('true')).toBe(0)
    expect(await shell('mount -t tmpfs none /site')).not.toBe(0)
    expect(await shell('unshare --user true')).not.toBe(0)
    expect(await shell('unshare --net true')).not.toBe(0)
    expect(await shell('grep -q "^Seccomp:.2" /proc/self/status')).toBe(0)
    expect(await shell('grep -q "^NoNewPrivs:.1" /proc/self/status')).toBe(0)
    expect(await shell('grep -q "^CapBnd:.0000000000000000" /proc/self/status')).toBe(0)
  })

  it('is ended when it uses more memory than it may', async () => {
    const { code, memoryKills } = await run(
      "const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 'x'))",
    )
    expect(code).not.toBe(0)
    expect(memoryKills).toBeGreaterThan(0)
  })

  it('cannot start more processes than it may', async () => {
    const { output } = await run(
      `const { spawn } = require('child_process'); let failed = 0, left = 200
       for (let n = 0; n < 200; n++) { const c = spawn('sleep', ['5']); c.on('error', () => failed++); c.on('spawn', () => {}) }
       setTimeout(() => { console.log(failed); process.exit() }, 500)`,
    )
    expect(Number(output)).toBeGreaterThan(150)
  })

  it('cannot fill the memory through its temporary folder', async () => {
    const fill =
      "for (let n = 0; n < 100; n++) fs.writeFileSync('/tmp/' + n, Buffer.alloc(2 ** 20))"
    expect(await attempt(fill, { limits: { ...limits, memoryBytes: 2 ** 29 } })).toBe('ENOSPC')
  })

  it('writes no file larger than it may', async () => {
    const command = ['/usr/bin/head', '-c', '2097152', '/dev/zero']
    const shell = ['/bin/sh', '-c', `${command.join(' ')} > /site/large`]
    const { site } = await run('', { command: shell, fileBytes: 2 ** 20 })
    expect((await stat(join(site, 'large'))).size).toBe(2 ** 20)
  })

  it('leaves no process and no group, also when it forked without waiting', async () => {
    await run(
      "require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref()",
    )
    expect((await controlGroups()).filter((name) => name.startsWith('test-'))).toEqual([])
  })
})

describe('setUpSandbox', () => {
  it.skipIf(reason !== undefined)(
    'ends the processes that killed servers left in their groups',
    async () => {
      const killed = spawn('/bin/true')
      await once(killed, 'exit')
      const groups = await findCgroups()
      const [abandoned, running] = [`trial-of-${killed.pid}`, `trial-of-${process.ppid}`]
      for (const name of [abandoned, running]) await groups?.create(name, limits)
      onTestFinished(() => groups?.open(running).remove())
      const orphan = spawn('sleep', ['1000'])
      const ended = once(orphan, 'exit')
      for (const file of groups?.open(abandoned).joinFiles ?? [])
        await writeFile(file, String(orphan.pid))
      await setUpSandbox(groups, folder)
      await ended
      const names = await controlGroups()
      expect(names).toContain(running)
      expect(names).not.toContain(abandoned)
    },
  )

  it.skipIf(!isInstalled || process.getuid?.() !== 0)(
    'says that there are no control groups',
    async () => {
      expect(await setUpSandbox(null, '/nowhere')).toBe('no_cgroups')
    },
  )
})

describe('seccompFilter', () => {
  it('is null for an architecture without a list of system calls', () => {
    expect(seccompFilter('riscv64')).toBeNull()
    expect(seccompFilter('x64')).toHaveLength((seccompFilter('x64')?.length ?? 0) & ~7)
  })
})
