import { findCgroups } from './cgroup.ts'
import { groupOfServer, setUpSandbox } from './sandbox.ts'

// Runs a program that fills its memory, and prints how often the kernel ended it.
const [folder = ''] = process.argv.slice(2)
const sandbox = await setUpSandbox(await findCgroups(), folder)
if (typeof sandbox === 'string') throw new Error(`no sandbox: ${sandbox}`)
const program = await sandbox.start({
  name: groupOfServer('greedy'),
  command: ['/usr/bin/tail', '/dev/zero'],
  env: {},
  cwd: '/',
  readable: {},
  writable: {},
  account: { uid: 61_234, gid: 61_234 },
  limits: { memoryBytes: 2 ** 25, cpus: 1, processes: 16 },
})
await program.exited
process.stdout.write(String(await program.memoryKills()))
await program.cleanUp()
