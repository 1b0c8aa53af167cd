import type { Layout } from './files/layout.ts'
import type { StartedMachine } from './launches.ts'
import type { Accounts } from './machine/accounts.ts'
import { prepareNode } from './machine/machine.ts'
import { prepareCertificates } from './machine/site-certificates.ts'
import { findCgroups } from './sandbox/cgroup.ts'
import { createNoSandbox } from './sandbox/no-sandbox.ts'
import { setUpSandbox } from './sandbox/sandbox.ts'

export type MachineOptions = {
  /** The Node executable for the sites; the server's own by default. */
  node?: string
  /** File of root certificates that sites trust beside the machine's. */
  extraCertificates?: string | undefined
  /** True to run Node apps without a sandbox (`SANDBOX=off`). */
  withoutSandbox?: boolean
}

/** The parts of this machine for runtimes: accounts, Node, certificates, cgroups, the sandbox. */
export async function setUpMachine(
  layout: Layout,
  accounts: Accounts,
  { node, extraCertificates, withoutSandbox }: MachineOptions,
): Promise<StartedMachine> {
  const cgroups = await findCgroups()
  return {
    layout,
    accounts,
    node: await prepareNode(layout, accounts, node ?? process.execPath),
    certificates: extraCertificates ? await prepareCertificates(layout, extraCertificates) : null,
    cgroups,
    sandbox: withoutSandbox
      ? createNoSandbox(layout.sandbox)
      : await setUpSandbox(cgroups, layout.sandbox),
  }
}
