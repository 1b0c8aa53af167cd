// Loaded before a program that must not outlive its parent: when that is gone, however it died,
// the program ends as if it had been asked to. (Emitted, because Windows knows no such signal.)
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
