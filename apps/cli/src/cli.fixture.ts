import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCommandLine } from '../../server/src/testing/command-line.ts'

export type Cli = Awaited<ReturnType<typeof createCli>>

export async function createCli(env: Record<string, string> = {}) {
  const commandLine = await createCommandLine(new URL('main.ts', import.meta.url), env)
  return {
    ...commandLine,
    loginFile: join(commandLine.home, 'config/slipway/login.json'),
    async write(files: Record<string, string>) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(commandLine.folder, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, content)
      }
    },
  }
}
