import { beforeEach, describe, expect, it } from 'vitest'
import { deleteDraft, deleteDrafts, readDraft, saveDraft } from './drafts.ts'

beforeEach(() => {
  deleteDrafts()
  sessionStorage.clear()
})

function fillStorage() {
  let size = 2 ** 24
  for (let part = 0; size > 0; part++)
    try {
      sessionStorage.setItem(`full-${part}`, 'a'.repeat(size))
    } catch {
      size = Math.floor(size / 2)
    }
}

describe('saveDraft', () => {
  it('keeps a draft in memory while the storage is full', () => {
    saveDraft('form', { text: 'Short' })
    fillStorage()
    const text = 'Longer than what was there before. '.repeat(10)
    expect(() => sessionStorage.setItem('draft:form', text)).toThrow()
    saveDraft('form', { text })
    expect(readDraft('form')).toEqual({ text })
    sessionStorage.clear()
    saveDraft('form', { text: 'Stored again' })
    expect(readDraft('form')).toEqual({ text: 'Stored again' })
    expect(sessionStorage.getItem('draft:form')).toContain('Stored again')
  })

  it('deletes a draft that is only in memory', () => {
    for (const remove of [() => deleteDraft('form'), deleteDrafts]) {
      fillStorage()
      saveDraft('form', { text: 'Half typed' })
      expect(readDraft('form')).toEqual({ text: 'Half typed' })
      remove()
      expect(readDraft('form')).toEqual({})
    }
  })
})

describe('readDraft', () => {
  it.each(['{"text":', 'null', '5', '"text"', '[]', '{"text":5}'])(
    'ignores a stored %s',
    (stored) => {
      sessionStorage.setItem('draft:form', stored)
      expect(readDraft('form')).toEqual({})
    },
  )
})
