import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../root.ts'

const source = join(root, 'apps/server/src/engines/hosting/content/content.mjs')

/** The exit code of the program for files that are too large. */
export const tooLargeExitCode = 65

/** Reads the program that packs and unpacks a site's files, to run it where it is not installed. */
export const readContentProgram = (): Promise<string> => readFile(source, 'utf8')
