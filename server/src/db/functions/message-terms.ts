/**
 * The terms of a message `r`: those in `p`, and one for each word of the subject. Words of over 255 characters are left out, because an index
 * entry might have no room for one.
 */
export const messageTerms = `array(select jsonb_array_elements_text(p->'terms') union all select subject_term(lexeme)
        from unnest(to_tsvector('simple', left(r.subject, 10000))) where length(lexeme) <= 255)`;
