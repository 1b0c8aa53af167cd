/** Lines of the service in the log of a site, which tell its owner what the program cannot. */
export const siteNotes = {
  killed: (graceMs: number) =>
    `Slipway: the program did not end within ${graceMs / 1000} seconds of SIGTERM and was killed.`,
  tooManyProcesses:
    'Slipway: the program has reached its limit of processes and threads, so it could start no more.',
  outputRemoved:
    'Slipway: earlier output was removed. Of a release that is being checked the last 4 MiB are kept.',
}
