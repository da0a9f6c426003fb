declare module 'planer' {
  export const extractFrom: (message: string, contentType: 'text/plain') => string;
}
