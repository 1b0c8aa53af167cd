import Bowser from 'bowser'

/** The browser and the system in a User-Agent header; null for one that it does not name. */
export function describeAgent(agent: string | null): {
  browser: string | null
  system: string | null
} {
  if (agent === null || agent === '') return { browser: null, system: null }
  const parser = Bowser.getParser(agent)
  return {
    browser: parser.getBrowserName() || null,
    system: parser.getOSName() || null,
  }
}
