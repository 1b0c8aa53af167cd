import type { Activity, ActivityKind } from '@slipway/contract/activity'
import { getLocale, type Locale } from '@slipway/phrases'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { overwriteGetLocale } from '../../../../../packages/phrases/src/paraglide/runtime.js'
import { actorName, lookOf } from './activity-kinds.ts'

// Replaces the Node build of the phrases by one whose language a test can change.
vi.mock('@slipway/phrases', () => import('../../../../../packages/phrases/src/index.ts'))

const entryOf = (kind: ActivityKind, values: Partial<Activity> = {}) =>
  ({
    kind,
    actor: { kind: 'service', id: null, name: null },
    subject: null,
    before: null,
    after: null,
    ...values,
  }) as Activity

/** The sentence and the tone of an entry. */
function shownAs(entry: Activity, locale: Locale = 'en') {
  overwriteGetLocale(() => locale)
  const look = lookOf(entry)
  const text = look?.text({
    actor: actorName(entry),
    subject: entry.subject ?? '',
    before: entry.before ?? '',
    after: entry.after ?? '',
  })
  return [text, look?.tone]
}

describe('an entry of the activity', () => {
  const originalGetLocale = getLocale
  afterEach(() => overwriteGetLocale(originalGetLocale))

  it('says that a project could not be created', () => {
    const entry = entryOf('project_failed', { after: 'site_not_answering' })
    expect(shownAs(entry)).toEqual(['The project could not be created', 'danger'])
    expect(shownAs(entry, 'tr')).toEqual(['Proje oluşturulamadı', 'danger'])
  })

  it('has the amount of an issued invoice, as the language writes it', () => {
    const entry = entryOf('invoice_issued', { subject: 'invoice', after: '1234.50000' })
    expect(shownAs(entry)).toEqual(['An invoice of $1,234.50000 was issued', undefined])
    expect(shownAs(entry, 'tr')).toEqual(['$1.234,50000 tutarında fatura düzenlendi', undefined])
  })

  it('says that the payment of an invoice failed', () => {
    const entry = entryOf('invoice_unpaid', { subject: 'invoice', after: 'card_declined' })
    expect(shownAs(entry)).toEqual(['The payment of an invoice failed', 'danger'])
    expect(shownAs(entry, 'tr')).toEqual(['Bir faturanın ödemesi başarısız oldu', 'danger'])
  })

  it.each<[ActivityKind, Partial<Activity>, string, string]>([
    [
      'domain_changed',
      { subject: 'a.example.com', before: 'alias', after: 'redirect 308' },
      'Ada changed the domain a.example.com',
      'Ada alan adını değiştirdi: a.example.com',
    ],
    [
      'card_default',
      { before: '4242', after: '4444' },
      'Ada made the card ending in 4444 the default',
      'Ada varsayılan kartı belirledi: •••• 4444',
    ],
    [
      'card_changed',
      { subject: '4242', before: 'Quay 1', after: 'Quay 2' },
      'Ada changed the billing address of the card ending in 4242',
      'Ada kartın fatura adresini değiştirdi: •••• 4242',
    ],
    [
      'payment_refunded',
      { subject: '4242', after: '12.50' },
      'Ada refunded $12.50 to the card ending in 4242',
      'Ada $12,50 tutarını karta iade etti: •••• 4242',
    ],
  ])('(%s) names who changed what', (kind, values, en, tr) => {
    const entry = entryOf(kind, { actor: { kind: 'user', id: null, name: 'Ada' }, ...values })
    expect(shownAs(entry)).toEqual([en, undefined])
    expect(shownAs(entry, 'tr')).toEqual([tr, undefined])
  })

  it('names who deleted the credentials of which registry', () => {
    const entry = entryOf('registry_deleted', {
      actor: { kind: 'user', id: null, name: 'Ada' },
      subject: 'ghcr.io',
    })
    expect(shownAs(entry)).toEqual([
      'Ada deleted the credentials of the registry ghcr.io',
      undefined,
    ])
    expect(shownAs(entry, 'tr')).toEqual([
      'Ada kayıt deposunun kimlik bilgilerini sildi: ghcr.io',
      undefined,
    ])
  })

  it('names a restored backup by its time, as the language writes it', () => {
    const entry = entryOf('backup_restored', {
      actor: { kind: 'user', id: null, name: 'Ada' },
      subject: '2026-11-27T09:30:00.000Z',
    })
    expect(shownAs(entry)).toEqual([
      expect.stringMatching(/^Ada restored a backup of Nov 2\d, 2026, \d+:30 [AP]M$/),
      'success',
    ])
    expect(shownAs(entry, 'tr')).toEqual([
      expect.stringMatching(/^Ada, 2\d Kas 2026 \d+:30 tarihli yedeği geri yükledi$/),
      'success',
    ])
  })

  it('is not shown if its kind is of a newer server', () => {
    expect(lookOf(entryOf('something_new' as ActivityKind))).toBeUndefined()
  })
})
