import { describe, expect, it } from 'vitest'
import { durationText } from './duration.ts'

describe('a duration', () => {
  it.each([
    [-5, 'under 0.01 s', '0,01 sn’den kısa'],
    [6.4, '0.01 s', '0,01 sn'],
    [96, '0.1 s', '0,1 sn'],
    [100, '0.1 s', '0,1 sn'],
    [1240, '1.2 s', '1,2 sn'],
    [9949, '9.9 s', '9,9 sn'],
    [9951, '10 s', '10 sn'],
    [59_400, '59 s', '59 sn'],
    [59_600, '1 min', '1 dk'],
    [125_000, '2 min 5 s', '2 dk 5 sn'],
  ])('of %s milliseconds is %s, and %s in Turkish', (milliseconds, english, turkish) => {
    expect(durationText(milliseconds, 'en')).toBe(english)
    expect(durationText(milliseconds, 'tr')).toBe(turkish)
  })
})
