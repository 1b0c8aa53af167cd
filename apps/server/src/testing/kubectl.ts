import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs `kubectl`, and returns its output. */
export async function kubectl(args: string[], input = ''): Promise<string> {
  const child = spawn('kubectl', args)
  child.stdin.end(input)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${errors}`)
  return output
}
