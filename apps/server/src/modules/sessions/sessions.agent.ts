import Bowser from 'bowser'

/** The browser and the system that a User-Agent names; null for what it does not. */
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
