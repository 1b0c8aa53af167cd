// Preloaded into a worker whose machine has a wrong clock: CLOCK_OFFSET is its error in
// milliseconds.
const offset = Number(process.env.CLOCK_OFFSET)
const { now } = Date

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now() + offset] : given, newTarget),
  apply: () => new Date().toString(),
  get: (target, name) => (name === 'now' ? () => now() + offset : Reflect.get(target, name)),
})
