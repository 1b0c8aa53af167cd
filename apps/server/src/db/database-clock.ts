import type { Clock } from '../clock.ts'
import type { Probe } from './probe.ts'

type Log = { warn(fields: object, message: string): void }

/** How often the database's time is read, in milliseconds. */
const interval = 10_000
/** A difference of this machine's clock that is logged, in milliseconds. */
const noticeable = 5_000

type Reading = { time: number; readAt: number; uncertainty: number }

/**
 * The database's time, so that servers whose clocks differ agree on every deadline. Between two
 * readings, and after `stopping`, the monotonic clock is used: a change of this machine's clock has
 * no effect. Rejects when the database does not respond.
 */
export async function createDatabaseClock(
  probe: Pick<Probe, 'run'>,
  log: Log,
  stopping: AbortSignal,
): Promise<Clock> {
  // The first reading may include the time of connecting.
  await read(probe)
  let reading = await read(probe)
  let loggedDifference = 0

  const estimate = () => reading.time + performance.now() - reading.readAt

  function compare() {
    const difference = Date.now() - estimate()
    if (Math.abs(difference - loggedDifference) < noticeable) return
    loggedDifference = difference
    const seconds = Math.round(difference / 1000)
    log.warn(
      { seconds },
      `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's, whose time is used`,
    )
  }

  async function update() {
    const newest = await read(probe)
    const difference = Math.abs(newest.time + performance.now() - newest.readAt - estimate())
    // A smaller difference may be an error of the measurement; adopting it could move time back.
    if (difference > newest.uncertainty + 1) reading = newest
    compare()
  }

  compare()
  const timer = setInterval(() => {
    update().catch((err) => log.warn({ err }, "the database's time could not be read"))
  }, interval)
  timer.unref()
  stopping.addEventListener('abort', () => clearInterval(timer))

  return { now: () => new Date(estimate()) }
}

/** The database read its clock at some point of the round trip; we assume the middle. */
async function read(probe: Pick<Probe, 'run'>): Promise<Reading> {
  const sentAt = performance.now()
  const { rows } = await probe.run(
    'select extract(epoch from clock_timestamp()) * 1000 as milliseconds',
  )
  const receivedAt = performance.now()
  const uncertainty = (receivedAt - sentAt) / 2
  return { time: Number(rows[0].milliseconds), readAt: sentAt + uncertainty, uncertainty }
}
