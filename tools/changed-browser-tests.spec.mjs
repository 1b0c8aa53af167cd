import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allTopics, topicsByFolder, topicsOfChanges } from './changed-browser-tests.mjs'
import { root } from './command.mjs'

describe('the browser tests of changed files', () => {
  it.each([
    ['apps/server/src/modules/invoices/issuing/issuing.jobs.ts', ['billing', 'journeys']],
    ['apps/server/src/modules/domains/domains.service.ts', ['projects']],
    ['apps/console/src/features/teams/team.page.tsx', ['screens', 'teams']],
    ['apps/console/src/ui/table/table.tsx', ['screens', 'tables']],
    ['apps/site/src/page.ts', ['auth', 'journeys', 'projects']],
    ['e2e/teams/teams.spec.ts', ['teams']],
  ])('are those of its topics: %s', (path, topics) => {
    expect(topicsOfChanges([path])).toEqual(topics)
  })

  it.each([
    'apps/console/src/api/client.ts',
    'apps/server/src/http/access.ts',
    'apps/server/src/modules/a-new-module/a-new-module.service.ts',
    'packages/contract/src/projects.ts',
    'packages/phrases/messages/en/projects.json',
    'e2e/harness/user.ts',
    'e2e/playwright.config.ts',
    'package-lock.json',
  ])('are all of them: %s', (path) => {
    expect(topicsOfChanges([path])).toEqual(allTopics)
  })

  it.each([
    'docs/api.md',
    'apps/console/README.md',
    'apps/server/src/modules/teams/teams.spec.ts',
    'bench/harness/account.ts',
  ])('are none: %s', (path) => {
    expect(topicsOfChanges([path])).toEqual([])
  })

  it('are those of every changed file, once', () => {
    expect(
      topicsOfChanges([
        'apps/server/src/modules/teams/teams.store.ts',
        'apps/server/src/modules/support/support.store.ts',
        'e2e/teams/teams.spec.ts',
      ]),
    ).toEqual(['support', 'teams'])
  })

  it('have only folders that exist, and topics with specs', () => {
    expect(Object.keys(topicsByFolder).filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(allTopics).not.toContain('harness')
    expect(Object.values(topicsByFolder).flat()).toSatisfy((/** @type {string[]} */ topics) =>
      topics.every((topic) => allTopics.includes(topic)),
    )
  })
})
