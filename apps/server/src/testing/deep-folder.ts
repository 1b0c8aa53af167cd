import { execFileSync } from 'node:child_process'

/**
 * Code for Node that nests folders in its working folder until their path is longer than the system
 * accepts (PATH_MAX of Linux, 4,096 bytes), as `mkdir` and `chdir` with relative names do. The last
 * one has a file.
 */
export const deepFolderCode = `
  for (let depth = 0; depth < 25; depth++) {
    require('fs').mkdirSync('d'.repeat(200))
    process.chdir('d'.repeat(200))
  }
  require('fs').writeFileSync('deep.txt', 'deep')`

/** Nests folders in a folder by `deepFolderCode`. */
export const makeDeepFolder = (folder: string): void => {
  execFileSync(process.execPath, ['--eval', deepFolderCode], { cwd: folder })
}
