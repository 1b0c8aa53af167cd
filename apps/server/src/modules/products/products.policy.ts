/** The product that every project is billed as. */
export const websiteProductId = 'website'
