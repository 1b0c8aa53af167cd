import { beforeEach, describe, expect, it } from 'vitest'
import { deleteDrafts } from '../../api/drafts.ts'
import { createDraft, moveDraft } from './draft.ts'

beforeEach(() => sessionStorage.clear())

describe('a draft', () => {
  it('survives a reload', () => {
    createDraft('form').save({ text: 'Half typed' })
    expect(createDraft('form').fields).toEqual({ text: 'Half typed' })
    expect(createDraft('other').fields).toEqual({})
  })

  it('is deleted when it is sent or emptied and on sign-out', () => {
    for (const end of [
      () => createDraft('form').clear(),
      () => createDraft('form').save({ text: '' }),
      deleteDrafts,
    ]) {
      createDraft('form').save({ text: 'Half typed' })
      end()
      expect(createDraft('form').fields).toEqual({})
      expect(sessionStorage.length).toBe(0)
    }
  })

  it('is not stored if it is longer than any form accepts', () => {
    createDraft('form').save({ text: 'Short' })
    createDraft('form').save({ text: 'a'.repeat(200_000) })
    expect(createDraft('form').fields).toEqual({})
  })

  it('leaves other session storage entries alone', () => {
    sessionStorage.setItem('other', 'page')
    createDraft('form').save({ text: 'Half typed' })
    deleteDrafts()
    expect(sessionStorage.getItem('other')).toBe('page')
  })
})

describe('the unsent message of a closed ticket', () => {
  const moveUnsent = () => moveDraft(createDraft('closed'), createDraft('ticket'))

  it('moves to the new ticket form', () => {
    createDraft('ticket').save({ subject: 'Begun', message: '' })
    createDraft('closed').save({ text: 'Too late' })
    moveUnsent()
    expect(createDraft('ticket').fields).toEqual({ subject: 'Begun', message: 'Too late' })
    expect(createDraft('closed').fields).toEqual({})
  })

  it('stays while the new ticket form has a message', () => {
    createDraft('ticket').save({ message: 'Begun' })
    moveUnsent()
    createDraft('closed').save({ text: 'Too late' })
    moveUnsent()
    expect(createDraft('ticket').fields).toEqual({ message: 'Begun' })
    expect(createDraft('closed').fields).toEqual({ text: 'Too late' })
  })
})

describe('the idempotency key of a draft', () => {
  it('stays the same for the same content, across reloads too', () => {
    const draft = createDraft('form')
    draft.save({ text: ' Words ' })
    const key = draft.keyFor({ text: 'Words' })
    expect(draft.keyFor({ text: 'Words' })).toBe(key)
    draft.save({ text: ' Words ' })
    expect(createDraft('form').keyFor({ text: 'Words' })).toBe(key)
  })

  it('changes with the content and after sending', () => {
    const draft = createDraft('form')
    const keys = [draft.keyFor({ text: 'Words' }), draft.keyFor({ text: 'Others' })]
    draft.clear()
    keys.push(draft.keyFor({ text: 'Others' }))
    expect(new Set(keys).size).toBe(3)
  })
})
