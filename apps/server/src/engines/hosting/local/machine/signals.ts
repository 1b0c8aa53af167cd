/** Sends a signal to a process, or to its group by a negative id. Ignores an ended process. */
export const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Sends a signal to all processes of a group, whose leader this is or was. */
export const signalGroup = (leader: number, signal: NodeJS.Signals): void =>
  signalTo(-leader, signal)
