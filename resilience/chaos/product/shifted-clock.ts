// Preloaded into a worker whose machine has a wrong clock: CLOCK_OFFSET is its error in
// milliseconds.
const offset = Number(process.env.CLOCK_OFFSET)
const { now } = Date

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now() + offset] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name) => (name === 'now' ? () => now() + offset : Reflect.get(target, name)),
})
