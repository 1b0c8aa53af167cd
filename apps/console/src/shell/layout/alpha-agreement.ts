/** Where a device stores when its user agreed to the alpha notice. */
export const agreedKey = 'openAlphaAgreed'
