import { createWriteStream } from 'node:fs'
import { mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveError, tooLarge } from './archive-error.ts'

export type ArchiveLimits = {
  files: number
  /** The size of all files together, in bytes. */
  unpackedBytes: number
}

export type EntryWriter = {
  /** Throws for an archive that lists too many files, before any of them is written. */
  expectFiles(count: number): void
  /** Throws when the entry would exceed the limits, repeats a name, or its content is damaged. */
  file(path: string, content: Readable, isExecutable: boolean): Promise<void>
  folder(path: string): Promise<void>
  /** Registers a symbolic link; `finish` creates it. */
  link(path: string, target: string): void
  /** Creates the links. Throws `link_outside` if one does not lead to a file of the archive. */
  finish(): Promise<void>
}

/**
 * Writes the entries of an archive into an empty folder. No entry is written through a link: links
 * are created after all files, and one that leaves the folder fails the archive.
 */
export function createEntryWriter(folder: string, limits: ArchiveLimits): EntryWriter {
  const links = new Map<string, string>()
  /** Lower-case paths: file systems that ignore case would merge `a` and `A`. */
  const files = new Set<string>()
  const folders = new Set<string>()
  let bytes = 0

  function claim(path: string) {
    const folded = path.toLowerCase()
    if (files.has(folded) || folders.has(folded)) throw new ArchiveError('name_twice', path)
    if (files.size >= limits.files) throw new ArchiveError('too_many_files')
    for (let parent = dirname(folded); parent !== '.'; parent = dirname(parent)) {
      if (files.has(parent)) throw new ArchiveError('name_twice', path)
      claimFolder(parent)
    }
    files.add(folded)
  }

  /** Folders count whether or not the archive lists them. */
  function claimFolder(folded: string) {
    if (folders.has(folded)) return
    if (folders.size >= limits.files) throw new ArchiveError('too_many_files')
    folders.add(folded)
  }

  const counted = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        if (bytes > limits.unpackedBytes) done(tooLarge('too_large_unpacked', limits.unpackedBytes))
        else done(null, chunk)
      },
    })

  async function createLink(path: string, target: string) {
    const absolute = join(folder, path)
    await mkdir(dirname(absolute), { recursive: true })
    await symlink(target, absolute)
  }

  /** Follows the link on the disk: links may lead to links. */
  async function checkLink(root: string, path: string) {
    const absolute = join(folder, path)
    const target = await realpath(absolute).catch(() => null)
    const isInside = target?.startsWith(`${root}${sep}`) === true
    if (!isInside) throw new ArchiveError('link_outside', `${path} → ${await readlink(absolute)}`)
    // A link to a folder that contains the link is an endless path.
    if ((await stat(absolute)).isDirectory() && `${absolute}${sep}`.startsWith(`${target}${sep}`))
      throw new ArchiveError('link_outside', path)
  }

  return {
    expectFiles(count) {
      if (count > limits.files) throw new ArchiveError('too_many_files')
    },

    async file(path, content, isExecutable) {
      // The content may fail before the pipeline reads it: without a listener, its error would end
      // the process.
      content.on('error', () => undefined)
      try {
        claim(path)
        const absolute = join(folder, path)
        await mkdir(dirname(absolute), { recursive: true })
        // `wx` never overwrites a file.
        const output = createWriteStream(absolute, {
          flags: 'wx',
          mode: isExecutable ? 0o755 : 0o644,
        })
        await pipeline(content, counted(), output)
      } finally {
        // The archive cannot be closed while the content of a rejected entry is open.
        content.destroy()
      }
    },

    async folder(path) {
      if (files.has(path.toLowerCase())) throw new ArchiveError('name_twice', path)
      for (let folded = path.toLowerCase(); folded !== '.'; folded = dirname(folded))
        claimFolder(folded)
      await mkdir(join(folder, path), { recursive: true })
    },

    link(path, target) {
      claim(path)
      if (target.startsWith('/')) throw new ArchiveError('link_outside', `${path} → ${target}`)
      links.set(path, target)
    },

    async finish() {
      for (const [path, target] of links) await createLink(path, target)
      const root = await realpath(folder)
      for (const path of links.keys()) await checkLink(root, path)
    },
  }
}
