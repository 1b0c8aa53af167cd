// Imported by a program that must not outlive its parent. npm runs scripts in a shell, and killing
// npm kills that shell, but not the program below it. SIGHUP, as when a terminal is closed: a
// server then stops its sites, too. It is emitted, not sent: Windows has no signals.

// Forked processes end with the program. They must not inherit this import: its unreferenced
// channel would let them exit while they wait for a message.
const inherited = process.execArgv.indexOf(import.meta.url)
if (inherited > 0) process.execArgv.splice(inherited - 1, 2)

const end = () => {
  if (!process.emit('SIGHUP')) process.exit(1)
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
