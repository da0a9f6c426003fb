/**
 * The search vector of a message `r`, whose body has position `n` and whose terms are in `p`. It is an expression and not a function, because
 * a function would be parsed and planned again for each mail. Words of the subject weigh most, then those of the sender, then those of the
 * body. Terms, such as addresses, are lexemes of it too.
 */
export const searchVector = `setweight(to_tsvector('simple', left(r.subject, 10000)), 'A')
        || setweight(to_tsvector('simple', left(concat_ws(' ', r.from_name, r.from_addr), 1000)), 'B')
        || setweight(to_tsvector('simple', left(coalesce(body_texts[n], ''), (p->>'search_characters')::int)), 'D')
        || array_to_tsvector(array(select jsonb_array_elements_text(p->'terms')))`;

/**
 * The terms of a message `r`: those in `p`, and one for each word of the subject. Words of over 255 characters are left out, because an index
 * entry might have no room for one.
 */
export const messageTerms = `array(select jsonb_array_elements_text(p->'terms') union all select subject_term(lexeme)
        from unnest(to_tsvector('simple', left(r.subject, 10000))) where length(lexeme) <= 255)`;
