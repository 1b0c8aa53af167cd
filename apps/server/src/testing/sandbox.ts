import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MissingPart } from '../engines/hosting/engine.ts'
import { findCgroups } from '../engines/hosting/local/sandbox/cgroup.ts'
import { setUpSandbox } from '../engines/hosting/local/sandbox/sandbox.ts'
import { hasDebianPackage } from './debian-package.ts'

/**
 * True when this machine can run programs of customers; bubblewrap is installed if it can be. With
 * REQUIRE_SANDBOX it must: rejects with the missing part, so that no test is skipped.
 */
export async function hasSandbox(): Promise<boolean> {
  const missing = await missingForSandbox()
  if (missing !== null && process.env.REQUIRE_SANDBOX)
    throw new Error(`This machine has no sandbox: ${missing}`)
  return missing === null
}

async function missingForSandbox(): Promise<MissingPart | null> {
  if (process.platform !== 'linux') return 'not_linux'
  if (!(await hasDebianPackage('bwrap', 'bubblewrap'))) return 'no_bubblewrap'
  const folder = await mkdtemp(join(tmpdir(), 'slipway-trial-'))
  try {
    const sandbox = await setUpSandbox(await findCgroups(), folder)
    return typeof sandbox === 'string' ? sandbox : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
