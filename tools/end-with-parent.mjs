// Imported by a program that must not outlive its parent. npm runs scripts in a shell, and killing
// npm kills that shell, but not the program below it. When the parent ends, this emits SIGHUP, as
// if the terminal were closed, so that a server stops its sites. It emits the event itself because
// Windows has no signals.

// Forked processes end with the program anyway. This module must not be imported there: it
// unreferences the IPC channel, so they would exit while waiting for a message.
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
