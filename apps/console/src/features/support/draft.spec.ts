import { beforeEach, describe, expect, it } from 'vitest'
import { deleteDrafts } from '../../api/drafts.ts'
import { createDraft, moveDraft } from './draft.ts'

beforeEach(() => sessionStorage.clear())

describe('a draft', () => {
  it('survives a reload', () => {
    createDraft('form').keep({ text: 'Half typed' })
    expect(createDraft('form').held).toEqual({ text: 'Half typed' })
    expect(createDraft('other').held).toEqual({})
  })

  it('is deleted when it is sent or emptied and on sign-out', () => {
    for (const end of [
      () => createDraft('form').sent(),
      () => createDraft('form').keep({ text: '' }),
      deleteDrafts,
    ]) {
      createDraft('form').keep({ text: 'Half typed' })
      end()
      expect(createDraft('form').held).toEqual({})
      expect(sessionStorage.length).toBe(0)
    }
  })

  it('is not stored if it is longer than any form accepts', () => {
    createDraft('form').keep({ text: 'Short' })
    createDraft('form').keep({ text: 'a'.repeat(200_000) })
    expect(createDraft('form').held).toEqual({})
  })

  it('leaves other session storage entries alone', () => {
    sessionStorage.setItem('wanted', 'page')
    createDraft('form').keep({ text: 'Half typed' })
    deleteDrafts()
    expect(sessionStorage.getItem('wanted')).toBe('page')
  })
})

describe('the unsent message of a closed ticket', () => {
  const takeIt = () => moveDraft(createDraft('closed'), createDraft('ticket'))

  it('moves to the new ticket form', () => {
    createDraft('ticket').keep({ subject: 'Begun', message: '' })
    createDraft('closed').keep({ text: 'Too late' })
    takeIt()
    expect(createDraft('ticket').held).toEqual({ subject: 'Begun', message: 'Too late' })
    expect(createDraft('closed').held).toEqual({})
  })

  it('stays while the new ticket form has a message', () => {
    createDraft('ticket').keep({ message: 'Begun' })
    takeIt()
    createDraft('closed').keep({ text: 'Too late' })
    takeIt()
    expect(createDraft('ticket').held).toEqual({ message: 'Begun' })
    expect(createDraft('closed').held).toEqual({ text: 'Too late' })
  })
})

describe('the idempotency key of a draft', () => {
  it('stays the same for the same content, across reloads too', () => {
    const draft = createDraft('form')
    draft.keep({ text: ' Words ' })
    const key = draft.keyFor({ text: 'Words' })
    expect(draft.keyFor({ text: 'Words' })).toBe(key)
    draft.keep({ text: ' Words ' })
    expect(createDraft('form').keyFor({ text: 'Words' })).toBe(key)
  })

  it('changes with the content and after sending', () => {
    const draft = createDraft('form')
    const keys = [draft.keyFor({ text: 'Words' }), draft.keyFor({ text: 'Others' })]
    draft.sent()
    keys.push(draft.keyFor({ text: 'Others' }))
    expect(new Set(keys).size).toBe(3)
  })
})
