// Imported by a program that must not outlive its parent. npm runs scripts in a shell, and a user
// who kills npm kills that shell, but not the program below it.
// SIGTERM is emitted, not sent: Windows has no such signal.

// Processes that the program forks end with it. They must not inherit this import: it would let them
// exit while they wait for a message.
const inherited = process.execArgv.indexOf(import.meta.url)
if (inherited > 0) process.execArgv.splice(inherited - 1, 2)

const end = () => {
  if (!process.emit('SIGTERM')) process.exit(1)
}

if (process.channel) {
  process.once('disconnect', end)
  process.channel.unref()
} else {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 500)
  watch.unref()
}
