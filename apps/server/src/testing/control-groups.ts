import { readdir } from 'node:fs/promises'

/** The names of the control groups of programs on this machine; none without a sandbox. */
export const controlGroups = (): Promise<string[]> =>
  // Version 1 has a folder for each controller.
  readdir('/sys/fs/cgroup/pids/slipway')
    .catch(() => readdir('/sys/fs/cgroup/slipway'))
    .catch(() => [])
