import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  link,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

/** Pseudo-random bytes that do not compress; the same for the same size. */
const bytes = (size: number) => {
  const hash = createHash('shake256', { outputLength: size }).update(String(size))
  return hash.digest()
}

const time = 1_700_000_000.25

/** Writes files of every kind into the data folder of a site, owned by its user. */
export async function writeTree(folder: string, owner: { uid: number; gid: number } | null) {
  const write = async (name: string, content: string | Buffer, mode = 0o644) => {
    const path = join(folder, name)
    await writeFile(path, content)
    if (owner) await chown(path, owner.uid, owner.gid)
    await chmod(path, mode)
    await utimes(path, time, time)
  }
  const make = async (name: string) => {
    await mkdir(join(folder, name))
    if (owner) await chown(join(folder, name), owner.uid, owner.gid)
  }
  await make('empty')
  await make('uploads')
  await make('uploads/Ünïcode ☕ ağaç')
  await write('uploads/Ünïcode ☕ ağaç/日本語.txt', 'text')
  await write('uploads/large.bin', bytes(3_000_000))
  await write('nothing', '')
  await write('run.sh', '#!/bin/sh\n', 0o750)
  await write('closed', 'for its owner', 0o000)
  await write(`${'long-'.repeat(50)}name`, 'long')
  await write('line\nbreak "quoted"', 'odd')
  await link(join(folder, 'run.sh'), join(folder, 'same.sh'))
  for (const [name, target] of [
    ['relative', 'uploads/large.bin'],
    ['outside', '/etc/passwd'],
    ['broken', '../nowhere'],
  ] as const) {
    const path = join(folder, name)
    await symlink(target, path)
    if (owner) await lchown(path, owner.uid, owner.gid)
    await lutimes(path, time, time)
  }
  // A name that is not valid UTF-8.
  const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0xfe])])
  await writeFile(odd, 'bytes')
  if (owner) await chown(odd, owner.uid, owner.gid)
  await make('denied')
  await write('denied/inside', 'inside')
  await utimes(join(folder, 'denied'), time, time)
  await chmod(join(folder, 'denied'), 0o500)
}

/** The contents of a folder by path: modes, times, link targets, sizes and digests. */
export async function treeOf(folder: string): Promise<Record<string, unknown>> {
  const tree: Record<string, unknown> = {}
  const inodes = new Map<bigint, string>()
  async function add(path: Buffer, name: string) {
    for (const part of (await readdir(path, { encoding: 'buffer' })).sort(Buffer.compare)) {
      const inside = Buffer.concat([path, Buffer.from('/'), part])
      const key = name === '' ? part.toString('latin1') : `${name}/${part.toString('latin1')}`
      const stats = await lstat(inside, { bigint: true })
      const time = Number(stats.mtimeNs / 1000n)
      const common = { mode: (stats.mode & 0o7777n).toString(8), time }
      if (stats.isSymbolicLink()) tree[key] = { time, to: await readlink(inside) }
      else if (stats.isDirectory()) {
        tree[key] = common
        await add(inside, key)
      } else {
        const firstLink = inodes.get(stats.ino)
        inodes.set(stats.ino, key)
        const digest = createHash('sha256')
          .update(await readFile(inside))
          .digest('hex')
        tree[key] = {
          ...common,
          digest,
          size: Number(stats.size),
          ...(firstLink ? { same: firstLink } : {}),
        }
      }
    }
  }
  await add(Buffer.from(folder), '')
  return tree
}
