import { describe, expect, it } from 'vitest'
import { indexOf, rank } from './palette-rank.ts'

const thing = (name: string, words: string[] = []) => ({ id: name, name, place: 'Project', words })

const found = (typed: string, things: ReturnType<typeof thing>[], recent: string[] = []) =>
  rank(indexOf(things), typed, recent).map(({ name }) => name)

describe('rank', () => {
  it('finds words in any order', () => {
    expect(found('shop blue', [thing('Blue Shop'), thing('Blue Garden')])).toEqual(['Blue Shop'])
  })

  it('finds parts of words', () => {
    expect(found('hop', [thing('Shop'), thing('Garden')])).toEqual(['Shop'])
  })

  it('knows the Turkish i, and letters without their marks', () => {
    const names = ['Işık Çarşısı', 'IRMAK', 'İpek']
    expect(
      found(
        'isik car',
        names.map((name) => thing(name)),
      ),
    ).toEqual(['Işık Çarşısı'])
    expect(
      found(
        'irmak',
        names.map((name) => thing(name)),
      ),
    ).toEqual(['IRMAK'])
    expect(
      found(
        'ipek',
        names.map((name) => thing(name)),
      ),
    ).toEqual(['İpek'])
  })

  it('puts the very name first, then what starts with it, then words that do, then the rest', () => {
    const things = ['A workshop', 'My shop', 'Shopping', 'Shop'].map((name) => thing(name))
    expect(found('shop', things)).toEqual(['Shop', 'Shopping', 'My shop', 'A workshop'])
  })

  it('puts what has it in the name before what has it elsewhere', () => {
    const things = [thing('Garden', ['shop.example.com']), thing('My shop')]
    expect(found('shop', things)).toEqual(['My shop', 'Garden'])
  })

  it('finds by what a thing is, and by its other words', () => {
    const garden = thing('Garden', ['garden-x7k2', 'www.example.com'])
    expect(found('garden project', [garden])).toEqual(['Garden'])
    expect(found('x7k2', [garden])).toEqual(['Garden'])
    expect(found('www.example', [garden])).toEqual(['Garden'])
  })

  it('puts what was chosen last first among what fits as well', () => {
    const things = [thing('Shop one'), thing('Shop two'), thing('Shop three')]
    expect(found('shop', things, ['Shop three', 'Shop two'])).toEqual([
      'Shop three',
      'Shop two',
      'Shop one',
    ])
  })

  it('leaves the order of what fits alike', () => {
    expect(found('shop', [thing('Shop b'), thing('Shop a')])).toEqual(['Shop b', 'Shop a'])
  })

  it('finds nothing where a word is missing', () => {
    expect(found('shop red', [thing('Blue Shop')])).toEqual([])
  })
})
