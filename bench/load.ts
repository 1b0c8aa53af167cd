import autocannon from 'autocannon'

/**
 * Answers a second of an address under 50 connections for some seconds. Throws when one of the answers
 * was not a success, for a failure may be quicker than what was to be measured.
 */
export async function answersPerSecond(
  url: string,
  { headers = {}, duration = 3 }: { headers?: Record<string, string>; duration?: number } = {},
) {
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 50, duration })
  if (non2xx > 0 || errors > 0)
    throw new Error(`${url}: ${non2xx} answers were no success, ${errors} never came`)
  return requests.average
}

/**
 * Measures several addresses in turns, so that what else the machine does falls on all of them alike;
 * each is warmed up once. Gives each one's rounds.
 */
export async function interleaved<Name extends string>(
  measures: Record<Name, () => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (const name of names) await measures[name]()
  for (let round = 0; round < rounds; round++) {
    // Turned round every time: whoever comes second may find a warmer machine.
    for (const name of round % 2 === 0 ? names : [...names].reverse())
      samples[name].push(await measures[name]())
  }
  return samples
}
