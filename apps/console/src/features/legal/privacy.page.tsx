import { m } from '@slipway/phrases'
import { LegalDocument } from './legal-document.tsx'

export const Page = () => (
  <LegalDocument
    intro={m.legal_privacy_intro()}
    parts={[
      { title: m.legal_privacy_account_title(), text: m.legal_privacy_account_text() },
      { title: m.legal_privacy_data_title(), text: m.legal_privacy_data_text() },
      { title: m.legal_privacy_cards_title(), text: m.legal_privacy_cards_text() },
      { title: m.legal_privacy_device_title(), text: m.legal_privacy_device_text() },
      { title: m.legal_privacy_logs_title(), text: m.legal_privacy_logs_text() },
    ]}
  />
)
