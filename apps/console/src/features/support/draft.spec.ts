import { beforeEach, describe, expect, it } from 'vitest'
import { deleteDrafts } from '../../api/drafts.ts'
import { createDraft, moveDraft } from './draft.ts'

beforeEach(() => sessionStorage.clear())

describe('a draft', () => {
  it('is there again after a reload', () => {
    createDraft('form').keep({ text: 'Half typed' })
    expect(createDraft('form').held).toEqual({ text: 'Half typed' })
    expect(createDraft('other').held).toEqual({})
  })

  it('is gone when it is sent, emptied or somebody signs out', () => {
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

  it('is not kept when it is longer than any form takes', () => {
    createDraft('form').keep({ text: 'Short' })
    createDraft('form').keep({ text: 'a'.repeat(200_000) })
    expect(createDraft('form').held).toEqual({})
  })

  it('leaves what else the tab keeps', () => {
    sessionStorage.setItem('wanted', 'page')
    createDraft('form').keep({ text: 'Half typed' })
    deleteDrafts()
    expect(sessionStorage.getItem('wanted')).toBe('page')
  })
})

describe('a message that was not sent when its ticket closed', () => {
  const takeIt = () => moveDraft(createDraft('closed'), createDraft('ticket'))

  it('is the message of a new ticket, and no longer one of the closed one', () => {
    createDraft('ticket').keep({ subject: 'Begun', message: '' })
    createDraft('closed').keep({ text: 'Too late' })
    takeIt()
    expect(createDraft('ticket').held).toEqual({ subject: 'Begun', message: 'Too late' })
    expect(createDraft('closed').held).toEqual({})
  })

  it('stays where it is while another one is begun, and when there is none', () => {
    createDraft('ticket').keep({ message: 'Begun' })
    takeIt()
    createDraft('closed').keep({ text: 'Too late' })
    takeIt()
    expect(createDraft('ticket').held).toEqual({ message: 'Begun' })
    expect(createDraft('closed').held).toEqual({ text: 'Too late' })
  })
})

describe('the key of a draft', () => {
  it('stays as long as what is sent is the same, over a reload too', () => {
    const draft = createDraft('form')
    draft.keep({ text: ' Words ' })
    const key = draft.keyFor({ text: 'Words' })
    expect(draft.keyFor({ text: 'Words' })).toBe(key)
    draft.keep({ text: ' Words ' })
    expect(createDraft('form').keyFor({ text: 'Words' })).toBe(key)
  })

  it('is another one for other words, and for the same once they are sent', () => {
    const draft = createDraft('form')
    const keys = [draft.keyFor({ text: 'Words' }), draft.keyFor({ text: 'Others' })]
    draft.sent()
    keys.push(draft.keyFor({ text: 'Others' }))
    expect(new Set(keys).size).toBe(3)
  })
})
