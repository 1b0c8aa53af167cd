import { describe, expect, it } from 'vitest'
import { pagesAround } from './pagination.tsx'

describe('pagesAround', () => {
  it.each([
    [1, 0, [1]],
    [1, 1, [1]],
    [1, 9, [1, 2, 3, 4]],
    [5, 9, [2, 3, 4, 5, 6, 7, 8]],
    [9, 9, [6, 7, 8, 9]],
    [3, 4, [1, 2, 3, 4]],
    [6, 4, [1, 2, 3, 4]],
    [99, 9, [6, 7, 8, 9]],
    [4, 0, [1]],
  ])('links, on page %i of %i, the pages %j', (current, total, pages) => {
    expect(pagesAround(current, total)).toEqual(pages)
  })
})
