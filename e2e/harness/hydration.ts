/**
 * True after the hydration of a prerendered page: React adds a property to each element that it
 * controls.
 */
export const isHydratedScript = "Object.keys(document.querySelector('h1')).length > 0"
