import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../docs/decisions/', import.meta.url))
/** @param {string} name */
const read = (name) => readFileSync(folder + name, 'utf8')
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort()
const list = read('README.md')

describe('the decision records', () => {
  it('are numbered without gaps', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(
      records.map((_, index) => index + 1),
    )
  })

  it.each(records)('%s is in the list with its title', (name) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(name)) ?? []
    expect(list).toContain(`\n| ${number} | [${title}](${name}) | `)
  })

  it.each(records)('%s has the status of the list, and a date', (name) => {
    const [, status = '', date = ''] =
      /^- \*\*Status:\*\* (.+)\n- \*\*Date:\*\* (.+)$/m.exec(read(name)) ?? []
    const [word = ''] = status.match(/^(Accepted(?=[.;]|$)|Superseded(?= by \[))/) ?? []
    expect(word).not.toBe('')
    expect(list).toContain(`](${name}) | ${word} |`)
    const linked = [...status.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file)
    expect(linked.filter((file) => !records.includes(file ?? ''))).toEqual([])
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
  })

  it.each(records)('%s has the parts of the template', (name) => {
    const parts = [...read(name).matchAll(/^## (.+)$/gm)].map(([, part]) => part)
    for (const part of ['Context', 'Alternatives', 'Decision', 'Consequences'])
      expect(parts).toContain(part)
  })
})
