export const cardAssociations = [
  'visa',
  'master_card',
  'american_express',
  'troy',
  'other',
] as const
export type CardAssociation = (typeof cardAssociations)[number]
