import { describe, expect, it } from 'vitest'
import { indexItems, rank } from './palette-rank.ts'

const item = (name: string, words: string[] = []) => ({
  id: name,
  name,
  category: 'Project',
  words,
})

const namesOf = (query: string, items: ReturnType<typeof item>[], recent: string[] = []) =>
  rank(indexItems(items), query, recent).map(({ name }) => name)

describe('rank', () => {
  it('finds words in any order', () => {
    expect(namesOf('shop blue', [item('Blue Shop'), item('Blue Garden')])).toEqual(['Blue Shop'])
  })

  it('finds parts of words', () => {
    expect(namesOf('hop', [item('Shop'), item('Garden')])).toEqual(['Shop'])
  })

  it('matches every Turkish i with every other, and ignores diacritics', () => {
    const names = ['Işık Çarşısı', 'IRMAK', 'İpek']
    expect(
      namesOf(
        'isik car',
        names.map((name) => item(name)),
      ),
    ).toEqual(['Işık Çarşısı'])
    expect(
      namesOf(
        'irmak',
        names.map((name) => item(name)),
      ),
    ).toEqual(['IRMAK'])
    expect(
      namesOf(
        'ipek',
        names.map((name) => item(name)),
      ),
    ).toEqual(['İpek'])
  })

  it('ranks the exact name first, then the start of the name, the start of a word, any part', () => {
    const items = ['A workshop', 'My shop', 'Shopping', 'Shop'].map((name) => item(name))
    expect(namesOf('shop', items)).toEqual(['Shop', 'Shopping', 'My shop', 'A workshop'])
  })

  it('prefers a match in the name to one in another text', () => {
    const items = [item('Garden', ['shop.example.com']), item('My shop')]
    expect(namesOf('shop', items)).toEqual(['My shop', 'Garden'])
  })

  it('finds by category and by further search texts', () => {
    const garden = item('Garden', ['garden-x7k2', 'www.example.com'])
    expect(namesOf('garden project', [garden])).toEqual(['Garden'])
    expect(namesOf('x7k2', [garden])).toEqual(['Garden'])
    expect(namesOf('www.example', [garden])).toEqual(['Garden'])
  })

  it('orders equal matches by the most recently opened', () => {
    const items = [item('Shop one'), item('Shop two'), item('Shop three')]
    expect(namesOf('shop', items, ['Shop three', 'Shop two'])).toEqual([
      'Shop three',
      'Shop two',
      'Shop one',
    ])
  })

  it('keeps the order of equal matches', () => {
    expect(namesOf('shop', [item('Shop b'), item('Shop a')])).toEqual(['Shop b', 'Shop a'])
  })

  it('orders deleted items after all others', () => {
    const items = [{ ...item('Shop'), isDeleted: true }, item('Workshop')]
    expect(namesOf('shop', items, ['Shop'])).toEqual(['Workshop', 'Shop'])
  })

  it('excludes an item that lacks a word', () => {
    expect(namesOf('shop red', [item('Blue Shop')])).toEqual([])
  })
})
