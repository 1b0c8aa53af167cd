import autocannon from 'autocannon'

/** What a round of load found: answers a second, and how long processors worked for one answer. */
export type Load = { perSecond: number; processor: number }

/** Puts load on a server and looks at what it uses meanwhile. */
export async function loadOn(
  processor: () => Promise<number>,
  url: string,
  options: { headers?: Record<string, string>; duration?: number } = {},
): Promise<Load> {
  const before = await processor()
  const { requests } = await load(url, options)
  return {
    perSecond: requests.average,
    processor: ((await processor()) - before) / requests.total,
  }
}

/**
 * Answers a second of an address under 50 connections for some seconds. Throws when one of the answers
 * was not a success, for a failure may be quicker than what was to be measured.
 */
export async function answersPerSecond(
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
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} never came`)
  return result
}

/**
 * Measures several addresses in turns, so that what else the machine does falls on all of them alike;
 * each is warmed up once. Gives each one's rounds.
 */
export async function interleaved<Name extends string, Sample>(
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
    // Turned round every time: whoever comes second may find a warmer machine.
    for (const name of round % 2 === 0 ? names : [...names].reverse())
      samples[name].push(await measures[name]())
  }
  return samples
}
