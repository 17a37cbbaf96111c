/** The name that the extension proposes for a first L40S. */
export const newInstance = 'tao-l40s';
