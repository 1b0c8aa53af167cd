import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCgroups } from '../engines/hosting/local/sandbox/cgroup.ts'
import { setUpSandbox } from '../engines/hosting/local/sandbox/sandbox.ts'
import { hasDebianPackage } from './debian-package.ts'

/** True when this machine can run programs of customers; bubblewrap is installed if it can be. */
export async function hasSandbox(): Promise<boolean> {
  if (process.platform !== 'linux' || !(await hasDebianPackage('bwrap', 'bubblewrap'))) return false
  const folder = await mkdtemp(join(tmpdir(), 'slipway-trial-'))
  try {
    return typeof (await setUpSandbox(await findCgroups(), folder)) !== 'string'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
