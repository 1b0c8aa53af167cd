import { beforeEach, describe, expect, it } from 'vitest'
import { deleteDraft, deleteDrafts, readDraft, saveDraft } from './drafts.ts'

beforeEach(() => {
  deleteDrafts()
  sessionStorage.clear()
})

/** Leaves no room in the store for the drafts below. */
function fillStore() {
  let size = 2 ** 24
  for (let part = 0; size > 0; part++)
    try {
      sessionStorage.setItem(`full-${part}`, 'a'.repeat(size))
    } catch {
      size = Math.floor(size / 2)
    }
}

describe('saveDraft', () => {
  it('keeps a draft as long as the page is there when the store is full', () => {
    saveDraft('form', { text: 'Short' })
    fillStore()
    const text = 'Longer than what was there before. '.repeat(10)
    expect(() => sessionStorage.setItem('draft:form', text)).toThrow()
    saveDraft('form', { text })
    expect(readDraft('form')).toEqual({ text })
    sessionStorage.clear()
    saveDraft('form', { text: 'Stored again' })
    expect(readDraft('form')).toEqual({ text: 'Stored again' })
    expect(sessionStorage.getItem('draft:form')).toContain('Stored again')
  })

  it('leaves nothing of a draft without a store once it is forgotten', () => {
    for (const forget of [() => deleteDraft('form'), deleteDrafts]) {
      fillStore()
      saveDraft('form', { text: 'Half typed' })
      expect(readDraft('form')).toEqual({ text: 'Half typed' })
      forget()
      expect(readDraft('form')).toEqual({})
    }
  })
})

describe('readDraft', () => {
  it.each(['{"text":', 'null', '5', '"text"', '[]', '{"text":5}'])('takes %s for none', (kept) => {
    sessionStorage.setItem('draft:form', kept)
    expect(readDraft('form')).toEqual({})
  })
})
