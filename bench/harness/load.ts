import autocannon from 'autocannon'

/** One round: responses per second, and milliseconds of CPU time per response. */
export type Load = { perSecond: number; cpuTime: number }

export async function measureLoad(
  cpuTime: () => Promise<number>,
  url: string,
  options: { headers?: Record<string, string>; duration?: number } = {},
): Promise<Load> {
  const before = await cpuTime()
  const { requests } = await load(url, options)
  return {
    perSecond: requests.average,
    cpuTime: ((await cpuTime()) - before) / requests.total,
  }
}

/**
 * Responses per second over 50 connections. Throws if a response is no success: an error may be
 * faster than the work to measure.
 */
export async function responsesPerSecond(
  url: string,
  { headers = {}, duration = 3 }: { headers?: Record<string, string>; duration?: number } = {},
) {
  return (await load(url, { headers, duration })).requests.average
}

async function load(
  url: string,
  { headers = {}, duration = 3 }: { headers?: Record<string, string>; duration?: number },
) {
  const result = await autocannon({ url, headers, connections: 50, duration })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${url}: ${result.non2xx} responses were no success, ${result.errors} got no response`,
    )
  return result
}

/**
 * Measures several targets in turns, so that other load on the machine affects all of them. Each is
 * warmed up once.
 */
export async function runInterleaved<Name extends string, Sample>(
  measures: Record<Name, () => Promise<Sample>>,
  rounds: number,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(measures) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<
    Name,
    Sample[]
  >
  for (const name of names) await measures[name]()
  for (let round = 0; round < rounds; round++) {
    // Reversed every round: a later target finds a warmer machine.
    for (const name of round % 2 === 0 ? names : [...names].reverse())
      samples[name].push(await measures[name]())
  }
  return samples
}
