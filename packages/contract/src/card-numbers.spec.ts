import { describe, expect, it } from 'vitest'
import { containsCardNumber } from './card-numbers.ts'

describe('containsCardNumber', () => {
  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242  4242  4242  4242',
    '4242\u00a04242\u00a04242\u00a04242',
    '4242\u20134242\u20134242\u20134242',
    '4242\u200d4242\u200d4242\u200d4242',
    '４２４２４２４２４２４２４２４２',
    '4242%204242%204242%204242',
    '4242%2D4242%2d4242%C2%A04242',
    '4242%25204242%25204242%25204242',
    '%34%32%34%32424242424242',
    '100%4242424242424242',
    '42 42 42 42 42 42 42 42',
    'card4242424242424242ok',
    'Ayşe 4242424242424242',
    'Flat 12 4242 4242 4242 4242',
    '4242 4242 4242 4242 12/30',
    '4242424242424242 123',
    'No:4242424242424242, İstanbul',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '9792030394440796',
    '6011111111111117',
    '30569309025904',
    '3530111333300000',
    '6759649826438453',
    'TR330006100519786457841326 4242424242424242',
    '4242424242424242 GB29NWBK60161331926819',
  ])('finds a card number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(true)
  })

  it.each([
    // One digit is wrong.
    '4242424242424241',
    // A correct check digit, but no association's range or length.
    '1111111111111117',
    '79927398713',
    '42424242424242',
    '424242424242424242424242',
    '0000000000000000',
    // Telephone numbers.
    '+90 532 123 45 67',
    '0 (532) 123 45 67 / 0 (212) 555 55 55',
    '+44 20 7946 0958, +44 20 7946 0321',
    // IBANs: examples of the ISO 13616 registry.
    'TR33 0006 1005 1978 6457 8413 26',
    'TR330006100519786457841326',
    'GB29 NWBK 6016 1331 9268 19',
    'DE89 3704 0044 0532 0130 00',
    'FR14 2004 1010 0505 0001 3M02 606',
    // Postcodes, house numbers, identity numbers.
    '34433',
    'SW1A 2AA',
    'İstiklal Caddesi 7/12, 34433 Beyoğlu/İstanbul',
    'T.C. 10000000146',
    // Orders, parcels and times.
    'Order 2026-1121-0000-0001',
    '1Z 999 AA1 01 2345 6784',
    '2026-11-21 15:41:04.123',
    '20261121154104123',
    '100%42424242424242',
    '50%20 off, 100%25',
    '%',
    '',
  ])('finds no card number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(false)
  })

  it('finds a card number behind the longest text of separators', () => {
    expect(containsCardNumber(`${'4-'.repeat(5_000)}4242424242424242`)).toBe(true)
    expect(containsCardNumber(`${'%25'.repeat(5_000)} 4242424242424242`)).toBe(true)
  })

  it('finds no card number in an IBAN whose digits would be one', () => {
    expect(containsCardNumber(ibanOf('DE', '424242424242424242'))).toBe(false)
    expect(containsCardNumber(ibanOf('DE', '424242424242424242').replace(/(.{4})/g, '$1 '))).toBe(
      false,
    )
    expect(containsCardNumber(ibanOf('GB', '4242424242424242'))).toBe(false)
    // Wrong check digits: not an IBAN.
    expect(containsCardNumber('GB004242424242424242')).toBe(false)
    expect(containsCardNumber('GB00 4242424242424242')).toBe(true)
  })
})

/** The IBAN of an account, with its check digits (ISO 13616-1 §6). */
function ibanOf(country: string, account: string) {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36))
  const check = 98n - (BigInt(digits.join('')) % 97n)
  return `${country}${String(check).padStart(2, '0')}${account}`
}
