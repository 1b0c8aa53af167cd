import { limits } from '@slipway/contract/limits'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { createConsoleRouter } from '../../router.tsx'
import { limitRedirects } from './redirect-limit.ts'

function begin() {
  const history = createMemoryHistory({ initialEntries: ['/projects'] })
  const check = limitRedirects(history)
  let page = 0
  const redirect = (times: number) => {
    for (let time = 0; time < times; time++) history.replace(`/page/${page++}`)
  }
  return { history, check, redirect }
}

describe('limitRedirects', () => {
  it('shows an error instead of an endless loop of redirects', async () => {
    const history = createMemoryHistory({ initialEntries: ['/privacy'] })
    const router = createConsoleRouter(history)
    for (let redirects = 0; redirects <= limits.redirects; redirects++)
      history.replace(redirects % 2 ? '/privacy' : '/terms')
    await router.load()
    const error = new Error('Too many redirects')
    expect(router.state.matches[0]).toMatchObject({ status: 'error', error })
  })

  it('allows a hundred consecutive redirects', () => {
    expect(limits.redirects).toBe(100)
    const { check, redirect } = begin()
    redirect(100)
    expect(check).not.toThrow()
  })

  it('throws at the hundred and first redirect and then restarts the count', () => {
    const { check, redirect } = begin()
    redirect(101)
    expect(check).toThrow('Too many redirects')
    expect(check).not.toThrow()
    redirect(100)
    expect(check).not.toThrow()
  })

  it.each(['push', 'back'] as const)('restarts the count after a navigation: %s', (how) => {
    const { history, check, redirect } = begin()
    history.push('/teams')
    redirect(100)
    if (how === 'push') history.push('/support')
    else history.back()
    redirect(1)
    expect(check).not.toThrow()
  })

  it('does not count changes of the query', () => {
    const { history, check } = begin()
    for (let count = 0; count < 500; count++) history.replace(`/projects?search=${count}`)
    expect(check).not.toThrow()
  })
})
